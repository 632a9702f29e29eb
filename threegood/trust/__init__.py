"""Why a reader need not take a registry on trust: keys, signatures, proofs and the log; never deployed."""
