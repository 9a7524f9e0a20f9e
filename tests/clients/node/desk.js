// What every workflow shares: the client for one world (from the environment), waiting for jobs, and telling the result.
import zendesk from 'node-zendesk';

export const client = zendesk.createClient({
  username: process.env.DESK_USER,
  token: process.env.DESK_TOKEN,
  endpointUri: process.env.DESK_URI,
});

/** The value inside a reply: the client gives {response, result} for single things. */
export const inside = (reply) => (reply && reply.result !== undefined ? reply.result : reply);

/** A ticket that can still be changed. */
export async function openTicket() {
  const found = inside(await client.search.query('type:ticket status:open'));
  const tickets = found.results ?? found;
  return tickets[0];
}

/** The job once it has ended; every look lets the world's time pass. */
export async function ended(job) {
  for (let look = 0; look < 20; look += 1) {
    const shown = inside(await client.jobstatuses.show(job.id));
    const status = shown.job_status ?? shown;
    if (status.status === 'completed' || status.status === 'failed') return status;
  }
  throw new Error(`job ${job.id} does not end`);
}

/** The status with which a call was refused; the client keeps it in the words of its error. */
export async function refusal(call) {
  try {
    await call;
  } catch (error) {
    return Number(/\((\d{3})\)/.exec(error.message)?.[1] ?? 0);
  }
  return 0;
}

/** Run a workflow and print what it found as JSON. */
export async function tell(workflow) {
  try {
    process.stdout.write(JSON.stringify(await workflow()));
  } catch (error) {
    process.stderr.write(`${error.stack}\n${JSON.stringify(error.result ?? null)}\n`);
    process.exitCode = 1;
  }
}
