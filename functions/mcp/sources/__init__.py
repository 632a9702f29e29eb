"""The product: which three sources answer a question. It knows neither HTTP nor AWS."""
