// Written by gravreel farm: a job type of Flamenco, named after this file. Put it into the folder `scripts` beside
// flamenco-manager, and submit a job of that type. The workers run its tasks in the folder `folder`, which they share.
"use strict";

const TASKS = [
    {{tasks}}
];

const JOB_TYPE = {
    label: {{name}},
    description: "A film by gravreel",
    settings: [
        {
            key: "folder", type: "string", subtype: "dir_path", required: true,
            default: {{here}},
            description: "The folder in which the commands run",
        },
    ],
};

// Quotes a word for a POSIX shell.
function quoted(word) {
    return "'" + word.split("'").join("'\\''") + "'";
}

function compileJob(job) {
    const made = {};
    for (const one of TASKS) {
        let command = "cd " + quoted(job.settings.folder) + " && { " + one.command + "; }";
{{if checks}}        if (one.task.startsWith("draw")) command += " || test $? -eq 3"; // a difference is a result
        const task = author.Task(one.task, "misc");
        task.addCommand(author.Command("exec", { exe: "/bin/sh", args: ["-c", command] }));
        for (const before of one.after) {
            task.addDependency(made[before]);
        }
        job.addTask(task); // copies the task
        made[one.task] = task;
    }
}
