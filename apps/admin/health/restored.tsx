/**
 * What the office does in a restored house before it sells again, and the button that ends the
 * pause.
 */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { endMaintenance } from '#server/contract/site.ts';
import { tellGap } from '#server/domain/office/restored.ts';
import { useNow } from '#apps/admin/kit/clock.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { gapOf, useHouse, type House } from '#apps/admin/shell/house.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

export function RestoredScreen() {
  const house = useHouse();
  return (
    <>
      <BackLink to="/settings/health">Salute</BackLink>
      <PageTitle title="Prima di riprendere a vendere" />
      <Loaded query={house}>{(data) => <Told house={data} />}</Loaded>
    </>
  );
}

function Told({ house }: { house: House }) {
  const now = useNow(60_000);
  const gap = gapOf(house);
  const since = house.maintenance_since;
  if (gap === null || since === null)
    return (
      <Empty icon="check" title="Qui non c’è niente da riprendere.">
        <p>La vendita non è ferma per un ripristino.</p>
      </Empty>
    );
  return (
    <Panel>
      <ol className={styles.steps}>
        {steps.map(({ title, text }) => (
          <li key={title}>
            <b>{title}.</b> {text}
          </li>
        ))}
      </ol>
      <Resume since={since} words={tellGap(gap, now)} />
    </Panel>
  );
}

const steps: readonly { title: string; text: ReactNode }[] = [
  {
    title: 'Le vendite in cassa',
    text: (
      <>
        I posti venduti allora qui risultano liberi. Prendi la carta dei turni di quelle ore (rotolo
        dei biglietti, ricevute, scontrini del POS) e{' '}
        <Link to="/sell/rebuild">ricostruisci ogni vendita</Link> dal codice dei suoi biglietti.
      </>
    ),
  },
  {
    title: 'I biglietti che non si trovano',
    text: (
      <>
        Un biglietto vero, venduto in quelle ore, alla porta non è ancora conosciuto: leggilo o
        scrivi il suo codice in <Link to="/sell/rebuild">Ricostruisci una vendita</Link>. Il foglio
        dell’acquirente resta valido.
      </>
    ),
  },
  {
    title: 'Blocchi e spostamenti',
    text: 'Rifai quelli di quelle ore nella pianta di ogni evento, prima che altri comprino quei posti.',
  },
  {
    title: 'Le differenze',
    text: (
      <>
        Gli ordini pagati online sono ripresi da Stripe. Quello che non torna è in{' '}
        <Link to="/settings/health">Salute</Link>, «Differenze con i fornitori».
      </>
    ),
  },
  {
    title: 'Il resto',
    text: 'Prezzi, date, rimborsi, persone e impostazioni cambiati in quelle ore sono di nuovo quelli di prima. I telefoni della porta rimandano da soli gli ingressi che hanno.',
  },
];

function Resume({ since, words }: { since: string; words: string }) {
  const change = useChange();
  const mayResume = useMay('change_site');
  if (!mayResume)
    return <p className={textStyles.soft}>A riprendere la vendita è un amministratore.</p>;
  return (
    <AskButton
      small={false}
      label="Riprendi a vendere"
      title="Riprendere a vendere?"
      text={<p>{words} I posti che mancano si potranno comprare di nuovo, sul sito e in cassa.</p>}
      confirmLabel="Riprendi a vendere"
      onConfirm={() => change(endMaintenance, { body: { since } })}
    />
  );
}
