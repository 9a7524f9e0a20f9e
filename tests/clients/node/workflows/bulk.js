// Many at once, by jobs; and a merge.
import {client, ended, inside, tell} from '../desk.js';

await tell(async () => {
  const made = inside(await client.tickets.createMany({
    tickets: ['One', 'Two', 'Three'].map((subject) => ({subject, comment: {body: `${subject} of three`}})),
  }));
  const created = await ended(made.job_status);
  const ids = created.results.map((result) => result.id);
  const changed = await ended(inside(await client.tickets.updateMany(ids, {ticket: {priority: 'low', tags: ['bulk']}})).job_status);
  const after = inside(await client.tickets.showMany(ids));
  const merge = await ended(inside(await client.tickets.merge(ids[0], {ids: [ids[1]]})).job_status);
  const merged = inside(await client.tickets.show(ids[1]));
  return {
    created: created.status,
    changed: changed.status,
    priorities: (after.tickets ?? after).map((ticket) => ticket.priority),
    merge: merge.status,
    merged: merged.status,
  };
});
