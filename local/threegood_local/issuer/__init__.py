"""An authorization server on this machine, for development and tests: it lets everybody in."""

from threegood_local.issuer.clients import Client
from threegood_local.issuer.issuer import DevelopmentIssuer, development_issuer

__all__ = ["Client", "DevelopmentIssuer", "development_issuer"]
