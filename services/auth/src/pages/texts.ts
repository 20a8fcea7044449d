/**
 * Every sentence of the pages, in English. A slot in braces is filled by {@link sentence}; a translation keeps the
 * slots and may move them. No markup, and no sentence made of two entries.
 */
export const english = {
  lang: 'en',
  pageTitle: '{title} · {school}',
  skipToContent: 'Skip to the content',

  signInTitle: 'Sign in',
  signInLead: 'Use your account at {school}.',
  signInForClient: '“{client}” wants to connect to your account at {school}. The answer goes to {host}.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',

  consentTitle: 'Allow access?',
  consentLead: 'An app that calls itself “{client}” asks to use your account at {school}.',
  consentUnverified: 'The name is the app’s own word. Nobody has verified it.',
  unnamedClient: 'unnamed app',
  signedInAs: 'Signed in as',
  returnsTo: 'Your answer goes to',
  returnsToDevice: 'A program on this device. Allow only if you have just started it yourself.',
  returnsToHost: 'Allow only if you know this address.',
  consentHint: 'Untick whatever you do not want to give.',
  readLegend: 'See',
  readHint: 'The app can look, and change nothing.',
  writeLegend: 'Change',
  writeHint: 'The app can create, edit and delete in your name.',
  nothingAsked: 'The app asks for no permission.',
  deny: 'Deny',
  approve: 'Allow',

  errorCode: 'Error code',
  requestId: 'Request',
} as const;

/** The names of the slots in a sentence. */
export type Slots<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;
