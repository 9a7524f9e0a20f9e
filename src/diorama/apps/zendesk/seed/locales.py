"""The locales of a new account."""

from __future__ import annotations

LOCALES: tuple[tuple[int, str, str, str], ...] = (
    (1, "en-US", "English", "English"),
    (2, "es", "Spanish", "español"),
    (8, "de", "German", "Deutsch"),
    (16, "fr", "French", "français"),
    (19, "pt-BR", "Portuguese (Brazil)", "português (Brasil)"),
    (22, "it", "Italian", "italiano"),
    (66, "ar", "Arabic", "العربية"),
    (67, "ja", "Japanese", "日本語"),
    (1005, "nl", "Dutch", "Nederlands"),
    (1176, "en-GB", "English (United Kingdom)", "English (United Kingdom)"),
)
LOCALE_IDS = {locale: number for number, locale, _, _ in LOCALES}
