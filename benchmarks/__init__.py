"""Measures throughput, compile time and memory: `python -m benchmarks`, one line per case."""
