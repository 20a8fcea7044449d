export { type Mail, type Message, MailRefused, MailUnavailable } from './port.ts';
export { type Sender, readSender } from './sender.ts';
export { type OutboxOptions, fileOutbox } from './outbox.ts';
export { type SmtpOptions, reachSmtp, smtpMail } from './smtp.ts';
export { type MemoryMail, memoryMail } from './memory.ts';
