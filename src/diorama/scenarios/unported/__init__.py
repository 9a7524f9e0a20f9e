"""Helpers of scenarios that are not written as plans yet; this package goes when the last of them is ported."""
