import type { Incoming } from '@lyceum/documents';
import { Erased, execute } from '@lyceum/eventlog';
import { isRejection, isoTime, upcast, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { z } from 'zod';
import { enrollmentEvents } from '../enrollments/enrollment.events.ts';
import { knownMember } from '../members/known-members.ts';
import { timezoneOf } from '../schools/known-schools.ts';
import { codeBytes, codeOf } from './certificate.code.ts';
import type { CertificateIssued } from './certificate.events.ts';
import { certificateDecider, certificateStream } from './certificate.ts';

type IssuingPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'ids' | 'ask'>;

const course = z.object({ certificate: z.boolean(), title: z.string() }).nullable();
const people = z.object({ members: z.array(z.object({ id: z.string(), name: z.string().nullable() })) });

/** Whose certificate of what. */
interface Earned {
  readonly school: string;
  readonly member: string;
  readonly course: string;
}

/** The title of the course, when completing it earns a certificate. Throws when the catalog cannot tell. */
async function certifiedTitle(ports: IssuingPorts, { school, course: id }: Earned): Promise<string | undefined> {
  const answer = await ports.ask?.('catalog', { kind: 'certificate-of-course', school, course: id });
  const known = course.parse(answer);
  return known?.certificate ? known.title : undefined;
}

/** The member's name as of now; undefined when the member is erased. Throws while the name is not known. */
async function holderName(ports: IssuingPorts, { school, member }: Earned): Promise<string | undefined> {
  if ((await knownMember(ports, school, member))?.status === 'erased') return undefined;
  const answer = await ports.ask?.('school', { kind: 'members-by-id', school, ids: [member] });
  const name = people.parse(answer).members.find(({ id }) => id === member)?.name;
  if (name === undefined || name === null)
    throw new Error('the name of a member who earned a certificate is not known yet');
  return name;
}

/** The day of an instant (RFC 3339) in a time zone, YYYY-MM-DD. */
function dayIn(timeZone: string, at: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(Date.parse(at))
    .map(({ type, value }) => [type, value] as const);
  const { year, month, day } = Object.fromEntries(parts);
  return `${year}-${month}-${day}`;
}

/** An enrollment that is completed. */
interface Completed extends Earned {
  readonly enrollment: string;
  /** RFC 3339: when. */
  readonly at: string;
}

/** Issues the certificate of an enrollment that is completed, where the course has one. Once, however often it is asked. */
export async function issueCertificate(ports: IssuingPorts, completed: Completed): Promise<void> {
  const { school, enrollment: enrollment_id, member: member_id, course: course_id, at } = completed;
  const title = await certifiedTitle(ports, completed);
  const name = title === undefined ? undefined : await holderName(ports, completed);
  if (title === undefined || name === undefined) return;
  const code = codeOf(Buffer.from(ports.ids.secret(codeBytes), 'base64url'));
  const completed_on = dayIn(await timezoneOf(ports, school), at);
  await write(ports, school, { enrollment_id, member_id, course_id, code, name, title, completed_on });
}

async function issue(event: Incoming, ports: IssuingPorts): Promise<void> {
  const { type, data } = upcast(enrollmentEvents, event);
  if (type !== 'EnrollmentCompleted') return;
  const { tenant: school, stream: enrollment, at } = event;
  await issueCertificate(ports, { school, enrollment, member: data.member_id, course: data.course_id, at });
}

async function write({ log, clock }: IssuingPorts, tenant: string, certificate: CertificateIssued): Promise<void> {
  const { enrollment_id } = certificate;
  try {
    const done = await execute(log, certificateDecider, {
      tenant,
      stream: certificateStream(enrollment_id),
      command: { type: 'IssueCertificate', certificate },
      commitId: uuidv5('certificate-issued', tenant, enrollment_id),
      at: isoTime(clock.now()),
      meta: { actor: 'system' },
    });
    if (isRejection(done)) throw new Error(done.reason);
  } catch (error) {
    // Nobody is left to hold it.
    if (!(error instanceof Erased)) throw error;
  }
}

/** That who completes a course gets its certificate. */
export const certificateIssuing: Reaction = {
  name: 'certificates',
  events: ['EnrollmentCompleted'],
  perform: issue,
};
