import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';
import { type SendOptions, retryingFetch } from './retrying-fetch.ts';

/** A school's API: one method for each HTTP method, typed by path. Answers are `{ data }` or `{ error }`. */
export type School = Client<paths>;

/** How the API takes several names in one parameter. */
const byCommas = { style: 'form', explode: false } as const;

/** Opens the API of the school at this address. Sends nothing yet. Without a token it is the public view. */
export const openSchool = (baseUrl: string, options: SendOptions = {}): School =>
  createClient<paths>({ baseUrl, fetch: retryingFetch(options), querySerializer: { array: byCommas } });
