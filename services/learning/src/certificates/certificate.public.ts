import { claimant, fold } from '@lyceum/eventlog';
import { type Ports, Problem, operation } from '@lyceum/web';
import { codeIn } from './certificate.code.ts';
import { codeParams, verifiedReply } from './certificate.schema.ts';
import type { Certificate } from './certificate.state.ts';
import { certificateCode, certificateDecider } from './certificate.ts';
import { verifiedDocument } from './certificate.view.ts';

/** The certificate that somebody typed the code of, as of now. Undefined when there is none, or its holder was erased. */
async function certificateByCode(
  { log }: Pick<Ports, 'log'>,
  school: string,
  typed: string,
): Promise<Certificate | undefined> {
  const code = codeIn(typed);
  const stream = code === undefined ? undefined : await claimant(log, school, certificateCode, code);
  if (stream === undefined) return undefined;
  const { state } = await fold(log, certificateDecider, school, stream);
  return state && state.name !== null ? state : undefined;
}

/** Lets anybody verify a certificate. */
export const verifyCertificate = operation({
  id: 'verifyCertificate',
  method: 'GET',
  path: '/certificates/{code}',
  area: 'certificates',
  summary: 'Verify a certificate',
  description:
    'Who completed which course of this school, and when, by the code of the certificate. As of now. A browser gets a page that can be printed. 404 once its holder was erased.',
  anonymous: true,
  staff: [],
  params: codeParams,
  status: 200,
  reply: verifiedReply,
  errors: ['not_found'],
  async handle({ school, params }, ports) {
    const certificate = await certificateByCode(ports, school, params.code);
    if (!certificate) throw new Problem('not_found', 'There is no such certificate');
    return { body: verifiedDocument(certificate) };
  },
});
