// Beside the script of @simplewebauthn/browser, in pages whose form has the options of a passkey. The form then sends what the browser says.
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const field = form.elements.namedItem('response')
  const button = form.querySelector('button')
  form.addEventListener('submit', async (event) => {
    if (field.value) return
    event.preventDefault()
    button.disabled = true
    say(form, '')
    try {
      field.value = JSON.stringify(await ask(form.dataset))
      form.submit()
    } catch (error) {
      say(form, toSentence(error))
      button.disabled = false
    }
  })
  if (!browserSupportsWebAuthn()) {
    button.disabled = true
    say(form, 'This browser cannot use passkeys here.')
  }
}

function ask({ passkey, options }) {
  const optionsJSON = JSON.parse(options)
  return passkey === 'new' ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON })
}

function say(form, text) {
  form.querySelector('[data-says]').textContent = text
}

function toSentence({ name, code }) {
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device has a passkey of this account already.'
  if (name === 'NotAllowedError') return 'No passkey was used. Try again.'
  if (name === 'SecurityError') return 'Passkeys do not work at this address.'
  return 'The passkey could not be used. Try again.'
}
