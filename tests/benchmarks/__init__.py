"""Benchmarks: `make bench` measures them; `make test` runs each once, without a clock, so that they keep working."""
