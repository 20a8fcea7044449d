import { rowAs } from '@lyceum/documents';
import { type PersonalData, onlyRecord, rowsAbout } from '@lyceum/service';
import { isoTime } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { findOpenAccount } from '../domain/accounts/account-registry.ts';
import { findClient } from '../domain/clients/client-registry.ts';
import { consentDecider } from '../domain/consents/consent.ts';
import { type GrantDocument, grantDocuments } from '../domain/grants/grant.projection.ts';
import { type SessionDocument, sessionDocuments } from '../domain/sessions/session.projection.ts';
import { consentStream } from '../domain/streams.ts';
import { read } from '../domain/write.ts';
import { exportRequestDecider, exportRequestStream } from './export-request.ts';

const ofSeconds = (since1970: number): string => isoTime(since1970 * 1000);

/** The account, without what signs in with it. */
export const accountData: PersonalData<Ports> = {
  file: 'account',
  async read({ school, subject }, ports) {
    const found = await findOpenAccount(ports, school, subject);
    if (!found) return { records: [] };
    const { email, emailVerified: email_verified, name, locale, timezone, updated: updated_at, pendingEmail } = found;
    const pending_email = pendingEmail?.email ?? null;
    return onlyRecord({ id: subject, email, email_verified, pending_email, name, locale, timezone, updated_at });
  },
};

/** What applications were allowed to do in the person's name, and until when that is remembered. */
export const grantData: PersonalData<Ports> = {
  file: 'connected-apps',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: grantDocuments, field: 'account' }, after, async ({ body }) => {
      const { client, scopes, since, used, expires } = rowAs<GrantDocument>(body);
      const known = await findClient(ports, of.school, client);
      const consent = await read(ports, consentDecider, of.school, consentStream(of.subject, client));
      return {
        client_id: client,
        client_name: known?.metadata.client_name ?? null,
        scopes,
        connected_at: since,
        last_used_at: used,
        expires_at: ofSeconds(expires),
        agreed_scopes: consent?.scopes ?? [],
        agreed_until: consent ? ofSeconds(consent.until) : null,
      };
    }),
};

/** The browsers in which the person is signed in, or was without signing out. */
export const sessionData: PersonalData<Ports> = {
  file: 'sessions',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: sessionDocuments, field: 'account' }, after, ({ body }) => {
      const { sid, browser, system, address, since, used, expires } = rowAs<SessionDocument>(body);
      const times = { signed_in_at: since, last_used_at: used, expires_at: ofSeconds(expires) };
      return { id: sid, browser, system, address, ...times };
    }),
};

/** The person's last request for an export. */
export const exportRequestData: PersonalData<Ports> = {
  file: 'export-request',
  async read({ school, subject }, ports) {
    return onlyRecord(await read(ports, exportRequestDecider, school, exportRequestStream(subject)));
  },
};
