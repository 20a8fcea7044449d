import type { UiLanguage } from '@lyceum/contracts';

/** What the page of an invoice says, in one language. Text in braces is filled in. */
export interface InvoiceTexts {
  readonly invoice: string;
  readonly creditNote: string;
  readonly number: string;
  readonly issued: string;
  readonly order: string;
  /** `{date}` is a day. */
  readonly paid: string;
  readonly refunded: string;
  /** `{number}` is that of the invoice that a credit note is about. */
  readonly about: string;
  /** `{number}` is that of the credit note that an invoice is in place of. */
  readonly instead: string;
  readonly from: string;
  readonly to: string;
  readonly taxId: string;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
  readonly subtotal: string;
  readonly discount: string;
  /** `{rate}` is per cent, `{net}` an amount: tax that is added, and tax that is in the total. */
  readonly taxAdded: string;
  readonly taxIncluded: string;
  readonly total: string;
  readonly credited: string;
  readonly print: string;
}

/** The languages of the page: those of the pages for signing in. */
export const invoiceLanguages: Readonly<Record<UiLanguage, InvoiceTexts>> = {
  en: {
    invoice: 'Invoice',
    creditNote: 'Credit note',
    number: 'Number',
    issued: 'Date',
    order: 'Order',
    paid: 'Paid on {date}. Nothing is left to pay.',
    refunded: 'Paid back on {date}.',
    about: 'For invoice {number}',
    instead: 'In place of credit note {number}, which was not paid out',
    from: 'From',
    to: 'To',
    taxId: 'Tax ID',
    description: 'Description',
    quantity: 'Quantity',
    price: 'Price',
    amount: 'Amount',
    subtotal: 'Subtotal',
    discount: 'Discount',
    taxAdded: 'Tax {rate} on {net}',
    taxIncluded: 'Includes tax {rate} on {net}',
    total: 'Total',
    credited: 'Total credited',
    print: 'Print this page, or save it as a PDF, to keep it.',
  },
  de: {
    invoice: 'Rechnung',
    creditNote: 'Rechnungskorrektur',
    number: 'Nummer',
    issued: 'Datum',
    order: 'Bestellung',
    paid: 'Bezahlt am {date}. Es ist nichts mehr offen.',
    refunded: 'Zurückgezahlt am {date}.',
    about: 'Zu Rechnung {number}',
    instead: 'Anstelle der Rechnungskorrektur {number}, die nicht ausgezahlt wurde',
    from: 'Von',
    to: 'An',
    taxId: 'USt-IdNr.',
    description: 'Beschreibung',
    quantity: 'Menge',
    price: 'Preis',
    amount: 'Betrag',
    subtotal: 'Zwischensumme',
    discount: 'Rabatt',
    taxAdded: 'Steuer {rate} auf {net}',
    taxIncluded: 'Enthält Steuer {rate} auf {net}',
    total: 'Gesamt',
    credited: 'Erstattet gesamt',
    print: 'Drucken Sie diese Seite oder speichern Sie sie als PDF, um sie aufzubewahren.',
  },
  pt: {
    invoice: 'Fatura',
    creditNote: 'Nota de crédito',
    number: 'Número',
    issued: 'Data',
    order: 'Pedido',
    paid: 'Paga em {date}. Não há nada por pagar.',
    refunded: 'Devolvido em {date}.',
    about: 'Relativa à fatura {number}',
    instead: 'Em lugar da nota de crédito {number}, que não foi paga',
    from: 'De',
    to: 'Para',
    taxId: 'Identificação fiscal',
    description: 'Descrição',
    quantity: 'Quantidade',
    price: 'Preço',
    amount: 'Valor',
    subtotal: 'Subtotal',
    discount: 'Desconto',
    taxAdded: 'Imposto {rate} sobre {net}',
    taxIncluded: 'Inclui imposto {rate} sobre {net}',
    total: 'Total',
    credited: 'Total creditado',
    print: 'Imprima esta página, ou guarde-a em PDF, para a conservar.',
  },
  ko: {
    invoice: '청구서',
    creditNote: '환불 명세서',
    number: '번호',
    issued: '날짜',
    order: '주문',
    paid: '{date}에 결제되었습니다. 남은 금액은 없습니다.',
    refunded: '{date}에 환불되었습니다.',
    about: '청구서 {number} 관련',
    instead: '지급되지 않은 환불 명세서 {number} 대체',
    from: '공급자',
    to: '받는 분',
    taxId: '사업자 등록 번호',
    description: '내용',
    quantity: '수량',
    price: '단가',
    amount: '금액',
    subtotal: '소계',
    discount: '할인',
    taxAdded: '세금 {rate} (과세 표준 {net})',
    taxIncluded: '세금 {rate} 포함 (과세 표준 {net})',
    total: '합계',
    credited: '환불 합계',
    print: '보관하려면 이 페이지를 인쇄하거나 PDF로 저장하세요.',
  },
};
