#include "core/types.h"

namespace core {

InputError::InputError(Message message)
    : std::invalid_argument(message.in_english()), Translatable(std::move(message)) {}
InputError::InputError(const std::string& sentence) : InputError(Message::plain(sentence)) {}
InputError::~InputError() = default;

}  // namespace core
