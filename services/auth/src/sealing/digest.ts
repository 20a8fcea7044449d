import { isSecret } from '@lyceum/kernel';
import { hash } from 'node:crypto';

/** SHA-256 as base64url, 43 characters. Enough for secrets of 256 bits: there is nothing to guess. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export const sameText = (one: string, other: string): boolean => isSecret(one)(other);
