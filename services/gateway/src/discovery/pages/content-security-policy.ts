/** The policy of a page that has one style sheet, of this hash, and nothing else: no script, no form, no frame. */
export const contentSecurityPolicy = (hash: string): string =>
  `default-src 'none'; style-src '${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
