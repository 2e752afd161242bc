"""Language models in a seat: any endpoint that speaks the chat-completions protocol."""
