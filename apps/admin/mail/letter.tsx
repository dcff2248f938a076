/** The text of a message with placeholders, its preview for an order, and a test to oneself. */
import { useRef, useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { previewLetter, testMessage } from '#server/contract/messages.ts';
import {
  longestBody,
  longestSubject,
  placeholders,
  unknownPlaceholders,
  type Placeholder,
} from '#server/domain/mail/message.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { LetterFrame } from './letter-frame.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Choice } from '#apps/admin/kit/list/filters.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { Reach } from './reach.tsx';
import styles from './message.module.css';

export interface Words {
  subject: string;
  body: string;
}
interface LetterProps {
  words: Words;
  examples: Reach['examples'];
  onChange: (words: Words) => void;
}

export function Letter({ words, examples, onChange }: LetterProps) {
  return (
    <Panel aria-labelledby="letter">
      <h2 id="letter">Messaggio</h2>
      <TextField
        label="Oggetto"
        value={words.subject}
        maxLength={longestSubject}
        error={faultOf(words.subject)}
        onChange={(subject) => onChange({ ...words, subject })}
        required
      />
      <BodyField body={words.body} onChange={(body) => onChange({ ...words, body })} />
      <Reading words={words} examples={examples} />
    </Panel>
  );
}

function faultOf(text: string): string | null {
  const unknown = unknownPlaceholders(text);
  return unknown.length === 0
    ? null
    : `Nessuno sa che cosa mettere al posto di ${unknown.map((name) => `{${name}}`).join(', ')}.`;
}

const placeholderWords: Record<Placeholder, string> = {
  nome: 'nome',
  evento: 'evento',
  data: 'data',
  posti: 'posti',
  link: 'link all’ordine',
};

function BodyField({ body, onChange }: { body: string; onChange: (body: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);

  function insert(name: Placeholder) {
    const area = requireValue(field.current, 'field');
    const { selectionStart: from, selectionEnd: to } = area;
    onChange(`${body.slice(0, from)}{${name}}${body.slice(to)}`);
    area.focus();
  }

  return (
    <>
      <Field
        label="Testo"
        hint={`Solo testo, al massimo ${longestBody.toLocaleString('it-IT')} caratteri. Le parole tra graffe diventano quelle di ogni acquirente.`}
        error={faultOf(body)}
        required
      >
        <FieldTextarea
          ref={field}
          className={styles.words}
          rows={9}
          value={body}
          maxLength={longestBody}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div className={styles.placeholders} role="group" aria-label="Inserisci nel testo">
        {placeholders.map((name) => (
          <Button
            key={name}
            small
            icon="plus"
            label={placeholderWords[name]}
            onClick={() => insert(name)}
          />
        ))}
      </div>
    </>
  );
}

type Shown = ReplyOf<typeof previewLetter>;

function Reading({ words, examples }: Omit<LetterProps, 'onChange'>) {
  const act = useAct();
  const [order_id, setOrder] = useState(requireValue(examples[0], 'order').order_id);
  const [shown, setShown] = useState<Shown | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const isEmpty = words.subject.trim() === '' || words.body.trim() === '';
  const body = { ...words, order_id };

  return (
    <>
      <div className={styles.placeholders}>
        <Choice
          label="Anteprima per"
          value={order_id}
          onChange={setOrder}
          options={examples.map((example) => [
            example.order_id,
            `${isolate(example.buyer_name ?? example.to_address)}, ${example.number}`,
          ])}
        />
        <AsyncButton
          disabled={isEmpty}
          onClick={async () => setShown(await act(previewLetter, { body }))}
        >
          Mostra l’anteprima
        </AsyncButton>
        <AsyncButton
          disabled={isEmpty}
          onClick={async () => setSentTo((await act(testMessage, { body })).to_address)}
        >
          Manda una prova a me
        </AsyncButton>
      </div>
      {sentTo !== null && (
        <Notice as="output" tone="good" aria-label="Prova inviata">
          La prova parte per {sentTo}.
        </Notice>
      )}
      {shown !== null && (
        <>
          <h3>{shown.subject}</h3>
          <LetterFrame className={styles.frame} title="Anteprima del messaggio" html={shown.html} />
        </>
      )}
    </>
  );
}
