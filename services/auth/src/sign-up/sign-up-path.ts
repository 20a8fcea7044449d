/** Where a person opens an account: by an invitation, or by themselves where the school lets them. */
export const signUpPath = '/oauth/sign-up';
