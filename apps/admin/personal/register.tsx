/** The register of processing (art. 30 GDPR), made from the settings, for printing on A4. */
import type { ReactNode } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readRegister } from '#server/contract/personal.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { PersonalParts } from './parts.tsx';
import styles from './personal.module.css';

type Register = ReplyOf<typeof readRegister>;

export function ProcessingScreen() {
  const register = useEndpoint(readRegister, {});
  return (
    <>
      <PageTitle title="Dati personali">
        <Button icon="print" label="Stampa" onClick={() => print()} />
      </PageTitle>
      <PersonalParts />
      <Intro>
        Quello che il programma sa dei trattamenti. Aggiungi a mano ciò che fai fuori di qui.
      </Intro>
      <Loaded query={register}>{(data) => <Paper register={data} />}</Loaded>
    </>
  );
}

function Paper({ register }: { register: Register }) {
  const { receivers, retention, measures } = register;
  return (
    <article className={styles.paper}>
      <h2>Registro delle attività di trattamento</h2>
      <p>Art. 30 del regolamento (UE) 2016/679, al {formatListDate(register.drawn_up_at)}.</p>
      <Part title="Titolare del trattamento">
        <Controller register={register} />
      </Part>
      <Processings register={register} />
      <Part title="Chi riceve i dati">
        <ul className={styles.words}>
          {receivers.map(({ name, words }) => (
            <li key={name}>
              <strong>{name}</strong>: {words}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Tempi di conservazione">
        <Table cards className={styles.rows} columns={['Dati', 'Tempo', 'Norma']}>
          <tbody>
            {retention.map(({ label, time, law }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <Cell name="Tempo">{time}</Cell>
                <Cell name="Norma">{law}</Cell>
              </tr>
            ))}
          </tbody>
        </Table>
        <p>{register.backups}</p>
      </Part>
      <Part title="Misure di sicurezza">
        <ul className={styles.words}>
          {measures.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </Part>
    </article>
  );
}

function Processings({ register: { processings, consent } }: { register: Register }) {
  return (
    <Part title="Trattamenti">
      <Table
        cards
        className={styles.rows}
        columns={['Finalità', 'Persone', 'Dati', 'Base giuridica', 'Destinatari']}
      >
        <tbody>
          {processings.map((one) => (
            <tr key={one.purpose}>
              <th scope="row">{one.purpose}</th>
              <Cell name="Persone">{one.people}</Cell>
              <Cell name="Dati">{one.data}</Cell>
              <Cell name="Base giuridica">{one.ground}</Cell>
              <Cell name="Destinatari">{one.receivers}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
      <p>{consent}</p>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Controller({ register: { organiser, support } }: { register: Register }) {
  const facts = [
    organiser.name,
    organiser.address,
    organiser.vat_number && `P. IVA ${organiser.vat_number}`,
    organiser.tax_code && `C. F. ${organiser.tax_code}`,
    organiser.pec && `PEC ${organiser.pec}`,
    support.email,
    support.phone,
  ].filter((one) => one !== null && one !== '');
  return <p>{facts.join(' · ')}</p>;
}
