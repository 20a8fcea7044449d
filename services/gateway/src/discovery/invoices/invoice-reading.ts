import type { UiLanguage } from '@lyceum/contracts';
import type { Document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { Absent } from '../pages/course-page-cache.ts';
import type { InvoiceDetail } from './invoice-detail.ts';
import { invoicePage } from './invoice-page.ts';

const invoicePages = /^\/invoices\/([0-9A-Za-z_-]{1,120})$/;

/** The code that the path of an invoice's page names; undefined for every other path. */
export const invoiceCodeIn = (path: string): string | undefined => invoicePages.exec(path)?.[1];

/** What a page is made from. */
interface Asked {
  readonly site: Site;
  readonly school: School;
  readonly code: string;
  readonly language: UiLanguage;
}

/** Reads the invoice of a code and makes its page, or tells why there is none. Never rejects. */
export async function readInvoicePage(
  read: (school: School, code: string) => Promise<InvoiceDetail | undefined>,
  { site, school, code, language }: Asked,
): Promise<Document | Absent> {
  try {
    const invoice = await read(school, code);
    return invoice ? invoicePage(site, school, invoice, language) : 'missing';
  } catch {
    return 'unavailable';
  }
}
