import { type Cookie, cookieAt } from '@lyceum/web';

/** Identifies one browser before a person signs in, so that a form can be bound to it. */
export const browserCookie = (issuer: string): Cookie => cookieAt(issuer, 'visit');

/** The cookie of a browser in which a person has signed in to an account before. */
export const deviceCookie = (issuer: string): Cookie => cookieAt(issuer, 'device');
