"""The endpoint of a service: host, port, TLS and region."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from mcpcore_aws.connections import DEFAULT_PORTS, Origin
from mcpcore_aws.dynamodb.service import DYNAMODB, Service
from mcpcore_aws.errors import NotConfigured

__all__ = ["Endpoint", "read_endpoint"]

_REGION: Final = re.compile(r"[a-z0-9-]{1,40}")
# A host name with the labels that DNS allows (RFC 1035, section 2.3.4), or an IPv6 address.
_HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?|[0-9a-f:.]+:[0-9a-f:.]*")


class Endpoint(NamedTuple):
    """A host, and the region that its requests are signed for."""

    origin: Origin
    region: str


def read_endpoint(environment: Mapping[str, str], service: Service = DYNAMODB, region: str = "") -> Endpoint:
    """The endpoint that the variables of the AWS SDKs name, otherwise the public one of the region.

    The region is that of the environment unless one is given.

    The public one ends in `amazonaws.com.cn` for China and in `amazonaws.com` elsewhere. Other partitions,
    FIPS and dual-stack endpoints must be set in a variable, as the template does.

    Raises:
        NotConfigured: the region is missing, or the URL has more than scheme, host and port.
    """
    region = region or environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or ""
    if not _REGION.fullmatch(region):
        raise NotConfigured(f"AWS_REGION must name a region, and is {region!r}")
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    url = (
        environment.get(service.url_variable)
        or environment.get("AWS_ENDPOINT_URL")
        or f"https://{service.name}.{region}.{suffix}"
    )
    return _parsed(url, region)


def _parsed(url: str, region: str) -> Endpoint:
    # Neither message shows the URL: it may contain a password.
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (KeyError, ValueError):
        raise NotConfigured("the endpoint's URL must be http or https") from None
    host = parts.hostname or ""
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if more or not _HOST.fullmatch(host):
        raise NotConfigured("the endpoint's URL must have a host, perhaps a port, and nothing more")
    return Endpoint(Origin(parts.scheme == "https", host, port), region)
