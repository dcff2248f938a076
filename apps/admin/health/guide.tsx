/** The guide from a bare machine to the first sale, read from a Markdown file. */
import { useEffect, useRef } from 'react';
import markdown from '#.deploy/METTERE-IN-SCENA.md?raw';
import { CopyButton } from '#apps/admin/kit/copy-button.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { readGuide, type GuidePart } from './read-guide.ts';
import styles from './guide.module.css';

const parts = readGuide(markdown);
const chapters = parts.filter((part) => part.kind === 'chapter');

export function GuideScreen() {
  useEffect(() => {
    // The browser looked for the chapter of the address before React drew it.
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, []);
  return (
    <>
      <PageTitle title="Mettere in scena" />
      <div className={styles.guide}>
        <nav className={styles.chapters} aria-label="Capitoli">
          <ul>
            {chapters.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <article className={styles.text}>
          {parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </article>
      </div>
    </>
  );
}

function Part({ part }: { part: GuidePart }) {
  if (part.kind === 'chapter') return <h2 id={part.id}>{part.title}</h2>;
  if (part.kind === 'commands') return <Commands text={part.text} />;
  return <div dangerouslySetInnerHTML={{ __html: part.html }} />;
}

function Commands({ text }: { text: string }) {
  const lines = useRef<HTMLPreElement>(null);
  return (
    <div className={styles.commands}>
      <pre ref={lines}>
        <code>{text}</code>
      </pre>
      <CopyButton
        text={text}
        select={() => lines.current && getSelection()?.selectAllChildren(lines.current)}
      />
    </div>
  );
}
