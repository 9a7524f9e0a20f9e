"""The everyday part of Liquid: the words of rules may decide, repeat and reshape what they say, within bounds.

Reading a text is apart from speaking it: texts are read once and kept; speaking asks a lookup for every name.
"""

from diorama.apps.zendesk.rules.liquid.filters import text_of
from diorama.apps.zendesk.rules.liquid.reading import read
from diorama.apps.zendesk.rules.liquid.speaking import LONGEST, speak

__all__ = ["LONGEST", "read", "speak", "text_of"]
