"""The curator's package: validates, bakes and reports on a registry. It is never deployed."""
