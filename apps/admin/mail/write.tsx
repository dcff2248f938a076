/**
 * Writes to many buyers or sends tickets again: recipients, text, preview, test, confirmation.
 */
import { newKey } from '#apps/admin/kit/new-key.ts';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { previewMessage, sendMessage } from '#server/contract/messages.ts';
import type { WrittenAct } from '#server/domain/mail/message.ts';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { keyOf } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useChange, useRefresh } from '#apps/admin/kit/refresh.ts';
import { Letter, type Words } from './letter.tsx';
import { MailNotConfigured } from './mailbox.tsx';
import { actWords } from './message-words.ts';
import { ReachPanel, type Reach } from './reach.tsx';
import { useMessageSelection, type Selection } from './selection.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';

export function WriteScreen() {
  const { act, selection } = useMessageSelection();
  const reach = useQuery<Reach, Error>({
    queryKey: [...keyOf(previewMessage), act, selection],
    queryFn: ({ signal }) => call(previewMessage, { body: { act, ...selection } }, { signal }),
    gcTime: 60_000,
  });
  return (
    <>
      <BackLink to="/orders">Ordini</BackLink>
      <PageTitle title={actWords[act].title} />
      <Loaded query={reach}>
        {(data) => <Written act={act} selection={selection} reach={data} />}
      </Loaded>
    </>
  );
}

interface WrittenProps {
  act: WrittenAct;
  selection: Selection;
  reach: Reach;
}

function Written({ act, selection, reach }: WrittenProps) {
  const [words, setWords] = useState<Words>({ subject: '', body: '' });
  const guard = useUnsavedGuard(words.subject !== '' || words.body !== '');
  const isWritten = words.subject.trim() !== '' && words.body.trim() !== '';
  return (
    <>
      {guard}
      {!reach.leaves && <MailNotConfigured />}
      {act === 'message' ? (
        <Intro>
          Solo comunicazioni di servizio su ciò che è stato comprato: la pubblicità richiede un
          consenso che questo sito non raccoglie, perciò qui non si può mandare.
        </Intro>
      ) : (
        <Intro>
          Ogni ordine riceve di nuovo l’e-mail con i biglietti validi in PDF e l’appuntamento per il
          calendario.
        </Intro>
      )}
      <div className={panelStyles.panels}>
        {act === 'message' && reach.recipients > 0 && (
          <Letter words={words} examples={reach.examples} onChange={setWords} />
        )}
        <ReachPanel reach={reach} />
      </div>
      {reach.recipients > 0 && (
        <Send
          act={act}
          selection={selection}
          reach={reach}
          words={words}
          disabled={act === 'message' && !isWritten}
        />
      )}
    </>
  );
}

interface SendProps extends WrittenProps {
  words: Words;
  disabled: boolean;
}

function Send({ act, selection, reach, words, disabled }: SendProps) {
  const change = useChange();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [again, setAgain] = useState(false);
  // The key makes sure that a double click sends only one message.
  const [askKey] = useState(newKey);

  async function send() {
    const { message_id } = await change(sendMessage, {
      body: {
        ask_key: askKey,
        act,
        ...selection,
        ...(act === 'message' ? words : {}),
        recipients: reach.recipients,
        ...(again ? { again } : {}),
      },
    }).catch((error: unknown) => {
      // The recipients or the earlier mails may have changed.
      refresh();
      throw error;
    });
    await navigate(`/messages/${message_id}`);
  }

  return (
    <div className={`${formStyles.stack} ${formStyles.lead}`}>
      {reach.recent !== null && (
        <Notice as="div" tone="warn">
          <p>
            Alle {formatTimeWithSeconds(reach.recent.created_at)} è già partito «
            {reach.recent.subject}» per lo stesso evento, meno di un’ora fa.
          </p>
          <Check label="Scrivi di nuovo lo stesso" checked={again} onChange={setAgain} />
        </Notice>
      )}
      <AskButton
        small={false}
        label={`${actWords[act].do}…`}
        disabled={disabled || (reach.recent !== null && !again)}
        title={`${actWords[act].do}?`}
        confirmLabel={`Invia a ${formatCount(reach.recipients, 'destinatario', 'destinatari')}`}
        text={
          <p>
            L’invio comincia tra un minuto: fino ad allora si può annullare. Poi continua da solo,
            un po’ alla volta.
          </p>
        }
        onConfirm={send}
      />
    </div>
  );
}
