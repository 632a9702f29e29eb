"""A server over our own core, with as many tools as are asked for."""
