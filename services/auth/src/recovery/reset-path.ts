/** Where a person who forgot the password begins. */
export const resetPath = '/oauth/reset';
