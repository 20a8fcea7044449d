export { type KeptLogin, type LoginStore, fileStore } from './kept-login.ts';
export { type LoginOptions, login, logout } from './login.ts';
export { storedTokens } from './stored-tokens.ts';
