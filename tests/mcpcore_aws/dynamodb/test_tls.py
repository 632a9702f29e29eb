"""Which servers the client trusts."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpcore_aws.errors import NotConfigured, Unreachable
from tests.support.dynamodb_client import FOUND, client_of
from tests.support.scripted import Scripted, answer, scripted
from tests.support.tls import Tls, self_signed


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a certificate for 127.0.0.1 that no authority has signed, and its key."""
    return self_signed(tmp_path_factory.mktemp("tls")).certificate


@pytest.fixture
def served_over_tls(certificate: Path) -> Iterator[Scripted]:
    steps = answer(FOUND, then_close=True), answer(FOUND)
    with scripted(*steps, tls=Tls(certificate).server) as server:
        yield server


def test_a_bundle_of_certificates_can_be_named(served_over_tls: Scripted, certificate: Path) -> None:
    """And over TLS, too, connections are kept, and replaced when the server has closed them."""
    with client_of(served_over_tls.endpoint, {"AWS_CA_BUNDLE": str(certificate)}) as client:
        client.dynamodb.warm_up()
        assert [client.get() for _ in range(4)] == [FOUND] * 4
    assert (served_over_tls.connections(), client.waits) == ([1, 2, 2, 2], [])


@pytest.mark.parametrize(("host", "trusted"), [("127.0.0.1", False), ("localhost", True)])
def test_an_unknown_certificate_or_one_of_another_host_ends_the_connection(
    served_over_tls: Scripted, certificate: Path, host: str, trusted: bool
) -> None:
    endpoint = served_over_tls.endpoint.replace("127.0.0.1", host)
    named = {"AWS_CA_BUNDLE": str(certificate)} if trusted else {}
    with client_of(endpoint, named) as client, pytest.raises(Unreachable, match="CERTIFICATE"):
        client.get()
    assert served_over_tls.asked == []


def test_a_missing_bundle_is_reported(served_over_tls: Scripted, tmp_path: Path) -> None:
    named = {"AWS_CA_BUNDLE": str(tmp_path / "absent")}
    endpoint = served_over_tls.endpoint
    with client_of(endpoint, named) as client, pytest.raises(NotConfigured, match="certificates"):
        client.get()


@pytest.fixture
def machine_without_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null/absent")
    monkeypatch.setenv("SSL_CERT_DIR", "/dev/null/absent")


@pytest.mark.usefixtures("machine_without_certificates")
def test_a_machine_without_certificates_trusts_those_of_botocore(
    served_over_tls: Scripted, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.httpsession.where", lambda: str(certificate))
    with client_of(served_over_tls.endpoint) as client:
        assert client.get() == FOUND


@pytest.mark.usefixtures("machine_without_certificates")
def test_a_machine_without_certificates_or_botocore_trusts_no_server(
    served_over_tls: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "botocore.httpsession", None)
    with client_of(served_over_tls.endpoint) as client, pytest.raises(Unreachable, match="CERTIFICATE"):
        client.get()
