const forPeople = 'A page for people: programs have no use for it.';

/** What each operation is for, beside its summary, by its id. */
export const descriptions: Readonly<Record<string, string>> = {
  registerClient:
    'No credentials are needed, and no answer is waited for. The answer has the `client_id`, and a `registration_access_token` to manage the registration with; keep both. Redirect URIs are loopback addresses.',
  authorize:
    'Opened in the person’s browser, never fetched by a program. Needs PKCE (S256). The browser comes back to the redirect URI with `code`, `state` and `iss`, or with `error`.',
  authorizeByForm: 'For requests that are too long for an address. Everything else is as with GET.',
  signIn: `${forPeople} Wrong passwords are answered the same way, whether there is an account or not.`,
  decideConsent: `${forPeople} What is not ticked is not granted.`,
  openAccount: forPeople,
  showConnectedClients: `${forPeople} Programs read /api/account/clients.`,
  disconnectClientByForm: `${forPeople} Ends the tokens of the application at once.`,
  showSessions: `${forPeople} Programs read /api/account/sessions.`,
  endSessionByForm: `${forPeople} Ends the sign-in of that browser, and the tokens that came of it.`,
  signOutEverywhere: `${forPeople} Every token that was issued before is void.`,
  signInToAccount: `${forPeople} It leads back to the page that was asked for.`,
  logout:
    'Opened in the person’s browser. With an ID token of the session the person is signed out at once, without one they are asked. The browser goes only to registered addresses.',
  logoutByForm: 'For requests that are too long for an address. Everything else is as with GET.',
  confirmLogout: forPeople,
  showSignUp: `${forPeople} Says so where the school opens accounts by invitation only.`,
  signUp: `${forPeople} The answer to an address is the same, whether it has an account or not.`,
  showReset: forPeople,
  askReset: `${forPeople} A link that was sent is good for 30 minutes, once.`,
  showNewPassword: `${forPeople} Opening it changes nothing.`,
  setNewPassword: `${forPeople} Ends every sign-in and every token.`,
  showVerifyEmail: `${forPeople} Opening it changes nothing.`,
  verifyEmail: `${forPeople} From then on the claim \`email_verified\` is true.`,
  showEmailChange: `${forPeople} Opening it changes nothing.`,
  confirmEmailChange: `${forPeople} The account has the new address from then on.`,
  showAskVerification: forPeople,
  askVerification: forPeople,
  showChangePassword: forPeople,
  changePassword: forPeople,
  issueTokens:
    'A code is good for a minute, once; with `redirect_uri` and `code_verifier` as they were when it was asked for. A refresh gives a new refresh token, which replaces the one that was sent.',
  readUserinfo: 'Has `sub` always, and what `profile` and `email` open. For the caller’s own token only.',
  readUserinfoByForm: 'The token may stand in the form. Everything else is as with GET.',
  revokeToken:
    'An access token of the client ends at once; with a refresh token end all tokens of the same sign-in. A token that is unknown is answered as one that was revoked.',
  introspectToken:
    'About tokens of the client that asks, and tokens that are meant for the API that it serves. Any other is `{"active": false}`.',
  readSigningKeys:
    'Keep them for as long as Cache-Control says, and fetch them again for a `kid` that you do not know: keys rotate by themselves.',
};
