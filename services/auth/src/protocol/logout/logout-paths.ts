import { oauthPaths } from '@lyceum/contracts';

/** The end-session endpoint, and where its page posts. */
export const logoutPaths = { endSession: oauthPaths.endSession, confirm: `${oauthPaths.endSession}/confirm` } as const;
