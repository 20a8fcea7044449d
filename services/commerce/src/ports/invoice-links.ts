import { UnguessableCodes } from '@lyceum/service';

/**
 * The addresses at which people read their invoices: whoever has one reads that invoice. They follow from the keys of the
 * installation and the id of the invoice, so that nothing is stored, and nobody finds one by knowing an id.
 */
export class InvoiceLinks {
  readonly #codes: UnguessableCodes;

  constructor(rootKeys: readonly Buffer[]) {
    this.#codes = new UnguessableCodes(rootKeys, 'invoice links');
  }

  /** The page of an invoice at the school of a base URL. */
  urlOf(school: string, base_url: string, id: string): string {
    return `${base_url}/invoices/${this.#codes.codeOf(school, id.replace(/^invoice_/, ''))}`;
  }

  /** The id of the invoice that a code is of; undefined when it is none of this school. */
  idOf(school: string, code: string): string | undefined {
    const uuid = this.#codes.uuidOf(school, code);
    return uuid === undefined ? undefined : `invoice_${uuid}`;
  }
}
