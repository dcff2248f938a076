/** Waiting tasks: purpose, next try and fault; an administrator can run or drop one. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { abandonJob, hurryJob, listJobs } from '#server/contract/jobs.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { taskName, taskStakes } from './words.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

type Job = ReplyOf<typeof listJobs>['items'][number];

export function Jobs() {
  const [failing, setFailing] = useState(false);
  const query = failing ? { failing: 'true' as const } : {};
  const jobs = usePages(listJobs, { query }, 10_000);
  return (
    <>
      <div className={panelStyles.title}>
        <h2 id="jobs">Lavori in attesa</h2>
        <Check small label="Solo quelli non riusciti" checked={failing} onChange={setFailing} />
      </div>
      <p className={textStyles.soft}>
        La coda del programma, che si svuota da sola. Quello che avete avviato voi è in{' '}
        <Link to="/started">Attività avviate</Link>.
      </p>
      <PagedList pages={jobs}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={textStyles.soft}>
              {failing ? 'Nessun lavoro non riuscito.' : 'Nessun lavoro in attesa.'}
            </p>
          ) : (
            <ul className={styles.rows}>
              {rows.map((job) => (
                <JobRow key={job.job_id} job={job} />
              ))}
            </ul>
          )
        }
      </PagedList>
    </>
  );
}

function JobRow({ job }: { job: Job }) {
  const now = useNow(5_000);
  const mayChange = useMay('change_jobs');
  return (
    <li className={job.error === null ? styles.row : `${styles.row} ${styles.failed}`}>
      <h3>
        {taskName(job.task)} <About about={job.about} />
      </h3>
      <p className={textStyles.soft}>{tellJob(job, now)}</p>
      {job.error !== null && (
        <>
          <p>Finché non riesce: {taskStakes(job.task)}</p>
          <TechnicalDetails>
            <code>
              {job.task} {job.subject}: {job.error}
            </code>
          </TechnicalDetails>
        </>
      )}
      {mayChange && !job.under_way && <JobActs job={job} />}
    </li>
  );
}

function About({ about }: { about: Job['about'] }) {
  if (about === null) return null;
  const { kind, id, name } = about;
  if (kind === 'mail') return <Link to={`/settings/mail/${id}`}>vedi il messaggio</Link>;
  return <Link to={`/${kind}s/${encodeURIComponent(id)}`}>{name || 'senza titolo'}</Link>;
}

function tellJob({ under_way, next_at, tries, error }: Job, now: number): string {
  if (under_way) return 'In corso adesso.';
  const wait = Date.parse(next_at) - now;
  const next = wait <= 0 ? 'Tocca a lui adesso.' : `Prossima volta fra ${formatSpan(wait)}.`;
  return error === null ? next : `Non riuscito ${formatCount(tries, 'volta', 'volte')}. ${next}`;
}

function JobActs({ job }: { job: Job }) {
  const change = useChange();
  const [abandoning, setAbandoning] = useState(false);
  const params = { jobId: job.job_id };
  return (
    <div className={buttonStyles.actions}>
      <AsyncButton className={buttonStyles.small} onClick={() => change(hurryJob, { params })}>
        Riprova ora
      </AsyncButton>
      {job.optional && <Button small label="Abbandona…" onClick={() => setAbandoning(true)} />}
      {abandoning && (
        <ReasonDialog
          title="Abbandonare questo lavoro?"
          text={`Non verrà più ritentato: ${taskStakes(job.task)}`}
          hint="Almeno cinque lettere: resta nel Registro."
          confirmLabel="Abbandona"
          onCancel={() => setAbandoning(false)}
          onConfirm={async (reason) => {
            await change(abandonJob, { params, body: { reason } });
            setAbandoning(false);
          }}
        />
      )}
    </div>
  );
}
