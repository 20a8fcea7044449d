import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const form = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-([A-Za-z0-9_-]{43})$/;

/**
 * The addresses at which people read their invoices: whoever has one reads that invoice. They follow from the keys of the
 * installation and the id of the invoice, so that nothing is stored, and nobody finds one by knowing an id.
 */
export class InvoiceLinks {
  readonly #keys: readonly Buffer[];

  /** The first of the root keys makes addresses; those of the others are known again. */
  constructor(rootKeys: readonly Buffer[]) {
    this.#keys = rootKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'invoice links', 32)));
  }

  /** The page of an invoice at the school of a base URL. */
  urlOf(school: string, base_url: string, id: string): string {
    const [code = ''] = this.#codes(school, id.replace(/^invoice_/, ''));
    return `${base_url}/invoices/${code}`;
  }

  /** The id of the invoice that a code is of; undefined when it is none of this school. */
  idOf(school: string, code: string): string | undefined {
    const uuid = form.exec(code)?.[1];
    if (uuid === undefined) return undefined;
    const given = Buffer.from(code);
    const isOne = this.#codes(school, uuid).some((known) => timingSafeEqual(Buffer.from(known), given));
    return isOne ? `invoice_${uuid}` : undefined;
  }

  #codes(school: string, uuid: string): readonly string[] {
    const about = JSON.stringify([school, uuid]);
    return this.#keys.map((key) => `${uuid}-${createHmac('sha256', key).update(about).digest('base64url')}`);
  }
}
