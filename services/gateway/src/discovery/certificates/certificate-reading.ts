import type { UiLanguage } from '@lyceum/contracts';
import type { Document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { CertificateDetail } from './certificate-detail.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { certificatePage } from './certificate-page.ts';
import type { Absent } from '../pages/course-page-cache.ts';

const certificatePages = /^\/certificates\/([0-9A-Za-z-]{1,40})$/;

/** The code that the path of a certificate's page names; undefined for every other path. */
export const codeInPath = (path: string): string | undefined => certificatePages.exec(path)?.[1];

/** What a page is made from. */
interface Asked {
  readonly site: Site;
  readonly school: School;
  readonly code: string;
  readonly language: UiLanguage;
}

/** Reads the certificate of a code and makes its page, or tells why there is none. Never rejects. */
export async function readCertificatePage(
  read: (school: School, code: string) => Promise<CertificateDetail | undefined>,
  { site, school, code, language }: Asked,
): Promise<Document | Absent> {
  try {
    const certificate = await read(school, code);
    return certificate ? certificatePage(site, school, certificate, language) : 'missing';
  } catch {
    return 'unavailable';
  }
}
