import { sha256 } from '../sealing/digest.ts';

/** The form under which two spellings of an e-mail address are the same account. */
const foldEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/** The name under which a school's address is claimed: a hash, because stream names carry no personal data. */
export const emailKey = (school: string, email: string): string => sha256(JSON.stringify([school, foldEmail(email)]));
