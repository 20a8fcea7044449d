import { z } from 'zod';
import type { Api } from '../../upstream/school-api.ts';

const certificate = z.object({
  code: z.string(),
  name: z.string(),
  course_title: z.string(),
  /** The day in the calendar of the school. */
  completed_on: z.iso.date(),
  valid: z.boolean(),
});

/** A certificate as anybody may see it who has its code. */
export type CertificateDetail = z.output<typeof certificate>;

/** Reads the certificate that a code is of; undefined when there is none. Rejects when nobody can tell. */
export async function readCertificate(api: Api, code: string): Promise<CertificateDetail | undefined> {
  const { status, body } = await api(`/certificates/${code}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`a certificate answers ${status}`);
  return certificate.parse(body);
}
