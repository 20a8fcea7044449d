import { identifyBrowser } from '../http/cookies/browser-cookie.ts';
import { checkLocalForm, readLocalForm } from '../http/csrf/local-form.ts';
import { type Endpoint, type Row, columns, o, x } from '../http/exchange/endpoint.ts';
import { recogniseSession } from '../http/session/browser-session.ts';
import { limitByAddress, policies } from '../http/steps/limits.ts';
import { linkPaths } from '../local-paths.ts';
import { downloadExport, showExport } from './export-page.ts';

/** The page behind the link of an export: a GET, which reads nothing, and a POST. */
// prettier-ignore
const rows: readonly Row[] = [
  //                                GET PST
  [limitByAddress(policies.forms),  x,  o],
  [limitByAddress(policies.export), o,  x],
  [identifyBrowser,                 x,  x],
  [recogniseSession,                x,  x],
  [readLocalForm,                   o,  x],
  [checkLocalForm,                  o,  x],
  [showExport,                      x,  o],
  [downloadExport,                  o,  x],
];

/** The endpoint at which people download what is known of them. */
export const exportEndpoint: Endpoint = {
  path: linkPaths.export,
  reader: 'person',
  operations: columns(rows, { GET: ['showExport', 0], POST: ['downloadExport', 1] }),
};
