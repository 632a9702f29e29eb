"""Load on emulated environments and the local server: nothing fails, no session is lost, memory stays."""
