/** Who mail comes from: the installation's own address, and the name that is shown when a mail gives no other. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const plain = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/;

/** Reads `address` or `Name <address>`; undefined when it is neither. The address is ASCII. */
export function readSender(text: string): Sender | undefined {
  const named = /^([^<>\p{Cc}]{0,200})<([^<>]+)>$/u.exec(text.trim());
  const address = (named ? named[2]! : text).trim();
  if (!plain.test(address)) return undefined;
  const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return { name, address };
}

/** What stands behind the @. */
export const domainOf = ({ address }: Pick<Sender, 'address'>): string => address.slice(address.lastIndexOf('@') + 1);
