import { type Call, type Operation, operation } from '@lyceum/web';
import { z } from 'zod';
import type { MailGate } from './withheld-mail.ts';

const body = z.object({
  older: z.enum(['send', 'discard']).meta({
    description:
      'What becomes of invitations that were asked for before the restore and have no receipt in the backup: they may ' +
      'have been sent by the system that was lost',
  }),
});

const reply = z
  .object({
    object: z.literal('mail'),
    withheld_since: z.string().nullable().meta({ description: 'Null when mail is sent' }),
  })
  .meta({ id: 'MailState' });

type Releasing = Call<{ readonly body: typeof body }>;

/** What the operator of a restored system does about its mail. */
export function releasingMail(mail: MailGate): readonly Operation[] {
  const state = () => ({ body: { object: 'mail' as const, withheld_since: mail.withheldSince() ?? null } });
  return [
    operation({
      id: 'getMailState',
      method: 'GET',
      path: '/internal/mail',
      area: 'operations',
      summary: 'Tell whether mail is withheld',
      anonymous: false,
      status: 200,
      reply,
      handle: async () => state(),
    }),
    operation({
      id: 'releaseMail',
      method: 'POST',
      path: '/internal/mail/release',
      area: 'operations',
      summary: 'Send mail again after a restore',
      description:
        'A restored system sends nothing until then. What has waited is sent within a minute, unless it has become ' +
        'pointless. Mail that MAIL_WITHHELD=true withholds stays withheld until the setting is gone.',
      anonymous: false,
      body,
      status: 200,
      reply,
      async handle({ body: { older } }: Releasing) {
        await mail.release({ older });
        return state();
      },
    }),
  ];
}
