/** An example of each body and reply for the OpenAPI document, made from its schema. */
import type { JsonSchema } from '@valibot/to-json-schema';
import { publishedExamples } from '#server/contract/published-examples.ts';

type Schemas = Record<string, JsonSchema>;

/** Usual values by a field's name or its ending; the people do not exist. */
const usual: Record<string, string | number> = {
  id: 'kQ3vT9xW2bN7',
  number: 'R7KD-2MFQ',
  order_number: 'R7KD-2MFQ',
  order: 'R7KD-2MFQ',
  event_id: 'la-locandiera',
  show_id: 'la-locandiera',
  like: 'la-locandiera',
  title: 'La locandiera',
  venue_title: 'Teatro Comunale',
  venue_address: 'Piazza del Teatro 1, Bologna',
  address: 'Piazza del Teatro 1, Bologna',
  city: 'Bologna',
  province: 'BO',
  postal_code: '40126',
  name: 'Ada Bianchi',
  first_name: 'Ada',
  last_name: 'Bianchi',
  holder: 'Ada Bianchi',
  buyer: 'Ada Bianchi',
  customer: 'Ada Bianchi',
  actor: 'user:kQ3vT9xW2bN7',
  email: 'ada@example.it',
  contact: 'ada@example.it',
  mail_sender: 'biglietti@example.it',
  phone: '051 555 0100',
  category: 'Platea',
  section: 'Platea',
  seat: 'Platea, fila A, posto 12',
  place: 'Platea-A-12',
  object: 'Platea-A-12',
  object_id: 'Platea-A-12',
  objects: 'Platea-A-12',
  gate: 'Ingresso A',
  ticketType: 'intero',
  ticket_type: 'intero',
  label: 'Intero',
  price_id: 'price_1N2b3C',
  token: 'f3Kd9sLq2WmXz7Rt5YvB1c',
  password: 'quattro-parole-a-caso',
  url: 'https://programma.example.it/avvisi',
  href: 'https://teatro.example.it/',
  image: '/media/kQ3vT9xW2bN7',
  logo: '/media/kQ3vT9xW2bN7',
  picture: '/media/kQ3vT9xW2bN7',
  color: '#8a1c2b',
  light: '#8a1c2b',
  dark: '#f2b8c0',
  reason: 'Chiesto al telefono',
  note: 'Chiesto al telefono',
  subject: 'Cambia l’orario',
  body: 'Lo spettacolo inizia alle 21.',
  text: 'Lo spettacolo inizia alle 21.',
  message: 'Lo spettacolo inizia alle 21.',
  description: 'Commedia in tre atti di Carlo Goldoni',
  code: 'AMICI26',
  q: 'bianchi',
  country: 'IT',
  currency: 'eur',
  tax_code: 'BNCDAA80A41A944X',
  vat_number: '00000000000',
  next_cursor: 'eyJhIjoxfQ',
  cursor: 'eyJhIjoxfQ',
  version: '1.0.0',
  time: '20:30',
  cents: 2_500,
  weekdays: 6,
};

const instant = '2027-02-20T19:30:00.000Z';
/** For each pattern in the contract one of these fits, in case the field's usual value does not. */
const forms = [
  'https://teatro.example.it/',
  '/media/kQ3vT9xW2bN7',
  '2027',
  '12',
  '123456',
  '20:30',
  'la-locandiera',
  'A1',
  'f3Kd9sLq2WmXz7Rt5YvB1c',
  `B${'a'.repeat(86)}`,
  'a'.repeat(22),
  'a'.repeat(43),
];

/** `field`: the name of the value's field. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, field = ''): unknown {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return publishedExamples[name] ?? exampleOf(schemas[name]!, schemas, field);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (typeof choice === 'object') return exampleOf(choice, schemas, field);
  return valueOf(schema, schemas, field);
}

function valueOf(schema: JsonSchema, schemas: Schemas, field: string): unknown {
  const [type, isNullable] = [schema.type].flat();
  // A nullable time is null, so that no order is both paid and deleted.
  if (isNullable && schema.format === 'date-time') return null;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [
          name,
          exampleOf(part as JsonSchema, schemas, name),
        ]),
      );
    case 'array':
      return (schema.prefixItems ?? [schema.items]).map((item) =>
        exampleOf(item as JsonSchema, schemas, field),
      );
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return numberOf(schema, wordFor(field));
    case 'string':
      return textOf(schema, wordFor(field));
    default:
      return {};
  }
}

/** The usual value of the longest ending of a field's name. */
function wordFor(field: string): string | number | undefined {
  if (Object.hasOwn(usual, field)) return usual[field];
  const rest = field.indexOf('_');
  return rest === -1 ? undefined : wordFor(field.slice(rest + 1));
}

function numberOf({ minimum = 0, maximum = Infinity }: JsonSchema, word: unknown): number {
  const wanted = typeof word === 'number' ? word : Math.max(minimum, 1);
  return Math.min(Math.max(wanted, minimum), maximum);
}

function textOf({ format, pattern, ...bounds }: JsonSchema, word: unknown): string {
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.slice(0, 10);
  if (format === 'uuid') return '7d0c5a2e-41b8-4f4e-9a53-2f1c8e6b9d10';
  if (format === 'idn-email') return 'ada@example.it';
  const { minLength = 0, maxLength = Infinity } = bounds;
  const form = new RegExp(pattern ?? '', 'u');
  const fits = (text: string) =>
    form.test(text) && text.length >= minLength && text.length <= maxLength;
  const own = typeof word === 'string' ? word : 'testo';
  return [own, ...forms].find(fits) ?? own.padEnd(minLength, '-').slice(0, maxLength);
}
