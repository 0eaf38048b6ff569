// CodeRules: the reader calls these functions. This file changes nothing; edit what you need.

// Called for each symbol that was read. Change decode.data and return decode.
function onDecode(decode) {
  return decode
}

rules_onDecode = onDecode
rules_onDecodes = null
rules_onDecodeAttempt = null
rules_onConfigure = null
