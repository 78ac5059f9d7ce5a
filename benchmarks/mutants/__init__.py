"""Mutation testing of the engine: each small change of it has to fail a test."""
