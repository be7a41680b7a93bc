"""The runner of executable rule cases: an adapter between case files and the compiled core.

It contains no rule: it builds a state and a content record, calls the verbs of commands.py, answers
the core's questions from the parameters of the verb, and reads the state back.
"""
